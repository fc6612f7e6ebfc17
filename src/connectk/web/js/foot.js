export function buildFoot() {}
