export const myData = {
  title: 'Everything about me',
  hint: 'What the shops and this platform keep of you: profile, orders, stamps, places in queues, messages.',
  download: 'Download it',
  page: 'Download it to print',
  erase: 'Erase me everywhere',
  ask: 'Erase you everywhere?',
  askHint:
    'It cannot be undone. Your stamps and rewards are lost, and you are signed out. Orders under way are finished first. Shops keep sums and VAT, without your name.',
  keep: 'Keep everything',
  erased: 'Everything that names you is being erased.',
  certificate: 'What is erased, and what the law has us keep. Save this address: only you have it.',
};
