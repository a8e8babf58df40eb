-- The VAT in a price, in hundredths of a percent. A line keeps the rate of its item at the time the order was placed.
alter table menu_item add column vat_rate_bps integer;
alter table order_line add column vat_rate_bps integer;
