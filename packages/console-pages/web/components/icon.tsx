const paths = {
  overview: 'M4 19V9m5.5 10V5M15 19v-7m5 7V8',
  story: 'M6 4v16M6 7h9M6 12h13M6 17h6',
  letters: 'M3 7l9 6 9-6M3 6h18v12H3z',
  streams: 'M3 7c6 0 6 5 9 5s3-5 9-5M3 17c6 0 6-5 9-5s3 5 9 5',
  messages: 'M4 5h16v11H9l-5 4z',
  system: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
  orders: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  queue: 'M8 8a3 3 0 1 0 0-.01M16 9a2.5 2.5 0 1 0 0-.01M3 20c0-4 2-6 5-6s5 2 5 6M15 14c3 0 5 2 5 5',
  diary: 'M5 5h14v15H5zM5 9h14M9 3v4M15 3v4M9 13h2M14 13h1M9 16h2',
  'menu-card': 'M6 3h12v18H6zM9 8h6M9 12h6M9 16h3',
  printer: 'M7 9V3h10v6M7 17H4v-7h16v7h-3M7 14h10v7H7z',
  customer: 'M12 11a4 4 0 1 0 0-.01M5 21c0-5 3-7 7-7s7 2 7 7',
  money: 'M3 6h18v12H3zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM6 9v.01M18 15v.01',
  sandbox: 'M9 3v6l-5 10h16L15 9V3M8 3h8',
  inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h5l1 2h4l1-2h5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16.5 16.5L21 21',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  done: 'M5 12.5l5 5L19 7',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2m0 16v2M2 12h2m16 0h2M5 5l1.4 1.4m11.2 11.2L19 19M5 19l1.4-1.4M17.6 6.4L19 5',
  moon: 'M20 14A8.5 8.5 0 0 1 10 4a8.5 8.5 0 1 0 10 10z',
  device: 'M3 5h18v11H3zM9 20h6',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.01',
  next: 'M9 5l7 7-7 7',
  back: 'M15 5l-7 7 7 7',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  add: 'M12 5v14M5 12h14',
  remove: 'M5 7h14M10 4h4M7 7l1 13h8l1-13M10 11v5M14 11v5',
  drag: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  retry: 'M4 11a8 8 0 0 1 14-4l2 2M20 4v5h-5M20 13a8 8 0 0 1-14 4l-2-2M4 20v-5h5',
} as const;
export type IconName = keyof typeof paths;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
);
