export const basket = {
  title: 'Your basket',
};
