export const me = {
  title: 'Me',
};
