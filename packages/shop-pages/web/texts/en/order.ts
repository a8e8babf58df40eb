export const order = {
  title: 'Your order',
};
