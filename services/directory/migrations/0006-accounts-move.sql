-- An account moves with its provider to another address. A session keeps the one where it began.
-- allowed: what the released version writes is accepted as before
alter table session drop constraint session_of_an_account;
