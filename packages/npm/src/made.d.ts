// What tools/make_npm.py writes.
declare module "made/threads.js" {
  const scripts: Record<"worker" | "helper", string>;
  export default scripts;
}
declare module "made/styles.js" {
  const styles: string;
  export default styles;
}
declare module "made/puzzles.js" {
  const puzzles: Record<string, string>;
  export default puzzles;
}
declare module "made/core.js" {
  const packed: string;
  export default packed;
}
declare module "made/book.js" {
  const packed: string;
  export default packed;
}
declare module "made/texts-en.js" {
  const texts: import("page/texts/texts.js").Catalogue;
  export default texts;
}
declare module "made/texts-fi.js" {
  const texts: import("page/texts/texts.js").Catalogue;
  export default texts;
}
declare module "made/texts-sv.js" {
  const texts: import("page/texts/texts.js").Catalogue;
  export default texts;
}
