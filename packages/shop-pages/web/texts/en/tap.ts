export const tap = {
  title: 'Stamp',
};
