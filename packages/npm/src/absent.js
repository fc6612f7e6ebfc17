// In place of the page's modules that the package has no use for: a viewer has no buttons that would ask for them.
const absent = () => {
  throw new TypeError("not in this package");
};

export {
  absent as Explorer,
  absent as Practice,
  absent as SharePanel,
  absent as createMatchFromPosition,
  absent as openExplanation,
  absent as openText,
};
