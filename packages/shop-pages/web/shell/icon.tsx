const outlines = {
  menu: 'M5 5h14M5 10h14M5 15h9M5 20h9',
  card: 'M3 6.5A1.5 1.5 0 0 1 4.5 5h15A1.5 1.5 0 0 1 21 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5zM7.5 10.5h.01M12 10.5h.01M16.5 10.5h.01M7.5 14.5h.01M12 14.5h.01',
  queue: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
  me: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c1-4 4-6 7.5-6s6.5 2 7.5 6',
} as const;

export const Icon = ({ name }: { readonly name: keyof typeof outlines }) => (
  <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d={outlines[name]} />
  </svg>
);
