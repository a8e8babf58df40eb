export const card = {
  title: 'Card',
};
