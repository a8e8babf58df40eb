-- A choice of an option, such as oat milk, is a row of its own beside the items: its stock and its mark are held and switched as theirs are.
alter table menu_item
  add column kind text not null default 'item' check (kind in ('item', 'choice')),
  add column category text,
  add column description text,
  add column image_url text,
  add column allergens text[],
  add column diet text[] not null default '{}',
  add column options jsonb not null default '[]';

-- What was chosen, as it was when the order was placed; null for nothing. The price of one includes it.
alter table order_line add column choices jsonb, add column note text;
