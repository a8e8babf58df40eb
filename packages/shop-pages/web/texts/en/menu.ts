export const menu = {
  title: 'Menu',
};
