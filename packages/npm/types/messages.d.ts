// In the package: the messages that index.d.ts names, and those that they name. tools/make_npm.py takes them from the page's.
export * from "../../../src/connectk/web/js/types.js";
