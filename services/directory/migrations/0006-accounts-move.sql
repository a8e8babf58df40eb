-- An account moves with its provider to another address. A session keeps the one where it began.
alter table session drop constraint session_of_an_account;
