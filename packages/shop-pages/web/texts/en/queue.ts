export const queue = {
  title: 'Queue',
  bookings: 'Book ahead',
  book: 'Book a time',
  bookedAt: (day: string, time: string) => `${day}, ${time}`,
  requested: 'It waits for the shop to confirm it.',
  move: 'Another time',
  cancel: 'Cancel the booking',
  cancelAsk: 'Cancel the booking?',
  cancelHint: 'The time is free for someone else then.',
  keepBooking: 'Keep it',
  noticePassed: 'To change it now, call the shop.',
  noTimes: 'No time is free in the next two weeks.',
  noBookings: 'This shop takes no bookings here.',
  whichDay: 'Which day?',
  whichTime: (day: string) => `At what time? ${day}`,
  notice: (minutes: number) =>
    minutes === 0
      ? 'You can move or cancel it until it begins.'
      : minutes % 60 === 0
        ? `You can move or cancel it until ${minutes / 60} h before.`
        : `You can move or cancel it until ${minutes} min before.`,
  waiting: (parties: number) =>
    parties === 0 ? 'No one is waiting.' : parties === 1 ? '1 party is waiting.' : `${parties} parties are waiting.`,
  kept: (percent: number, minutes: number) =>
    minutes > 0
      ? `${percent} % of the waits of the last four weeks were kept. Nine of ten came at most ${minutes} min late.`
      : `${percent} % of the waits of the last four weeks were kept.`,
  closed: {
    switch: 'The shop takes no walk-ins at the moment.',
    pause: 'The shop is having a break.',
    closure: 'The shop is closed.',
    store: 'This shop takes no walk-ins.',
  },
  until: (time: string) => `Again from ${time}.`,
  service: 'What for?',
  chair: 'With whom?',
  anyChair: 'Anyone',
  minutes: (minutes: number) => `${minutes} min`,
  wait: (minutes: number) => (minutes === 0 ? 'No wait' : `Wait ${minutes} min`),
  waitRange: (from: number, to: number) => `Wait ${from} to ${to} min`,
  full: 'No time left today',
  people: 'How many people?',
  name: 'Your name',
  nameHint: 'The shop calls you by it.',
  phone: 'Mobile number (optional)',
  phoneHint: 'For a text when it is your turn. With the country, such as +44 7700 900123. Name and number stay in your profile.',
  phoneWrong: 'A number begins with + and the country, such as +44.',
  join: 'Join the queue',
  place: 'Your place',
  before: (parties: number) => (parties === 0 ? 'You are next' : parties === 1 ? '1 before you' : `${parties} before you`),
  about: (minutes: number) => (minutes === 0 ? 'A place is free now.' : `About ${minutes} min from now`),
  aboutRange: (from: number, to: number) => `Between ${from} and ${to} min after you joined`,
  at: (time: string) => `around ${time}`,
  quoted: (minutes: number, time: string) => `You were quoted ${minutes} min at ${time}.`,
  stay: 'This page follows your place. Leave it open, or come back to it.',
  checked: (time: string) => `Nobody was moved before you unseen: checked at ${time}.`,
  notChecked: 'Not checked yet whether anyone was moved before you.',
  changedUnseen: 'The queue was changed unseen',
  unfitting: (row: number | null) =>
    row === null ? 'It is not in the order of its recorded changes.' : `It does not fit row ${row} of its recorded changes.`,
  byRule: (rule: number, shown: number | null) =>
    shown === null
      ? `By the order of joining you are number ${rule}.`
      : `By the order of joining you are number ${rule}; the queue shows number ${shown}.`,
  sound: 'Sound when it is your turn',
  leave: 'Leave the queue',
  leaveAsk: 'Leave the queue?',
  leaveHint: 'Your place goes to the next one. You would start again at the end.',
  keep: 'Keep my place',
  called: 'It’s your turn',
  calledHint: 'Come to the counter now.',
  holdUntil: (time: string) => `Your place is kept until ${time}.`,
  cannotCome: 'I cannot come',
  assigned: 'Have a seat',
  assignedHint: 'Your chair is ready. Enjoy your visit.',
  ended: {
    completed: 'Thank you for your visit',
    left: 'You have left the queue',
    no_show: 'Your place was given up',
    converted_to_appointment: 'You have a booking now',
  },
  endedHint: {
    completed: 'See you next time.',
    left: 'Join again when you like.',
    no_show: 'You were called and were not there in time. Join again when you like.',
    converted_to_appointment: 'The shop has put you in its diary.',
  },
  again: 'Back to the queue',
};
