export const api = {
  position: async () => ({ width: 7, height: 6, discs: [], open: [0,1,2,3,4,5,6], lines: [], last: null }),
};
