export const pay = {
  title: 'Pay',
};
