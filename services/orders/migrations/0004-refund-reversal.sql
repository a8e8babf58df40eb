-- Who bears a refund: 'store', whose transfer the provider reverses with it; 'reversed' already, by an earlier refund that came back
-- while its reversal stayed; or the 'platform', where the store cannot and the platform has agreed to.
alter table refund add column borne_by text not null default 'store' check (borne_by in ('store', 'reversed', 'platform'));
