export function acceptFiles() {}
