export const queue = {
  title: 'Queue',
};
