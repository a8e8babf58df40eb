import { keptInTab } from '@corner/page-kit/browser/storage';

/** The link is sent by mail, with the token behind `#`, which is sent to no server. */
export const invitationPath = '/invitation';
const name = 'invitation';

/** Null for none. The token is removed from the address and stored until the person has signed in, which leaves the page. */
export function invitationToken(): string | null {
  if (location.pathname === invitationPath && location.hash.length > 1) {
    keptInTab.setItem(name, location.hash.slice(1));
    history.replaceState(history.state, '', invitationPath);
  }
  return keptInTab.getItem(name);
}

export const forgetInvitation = (): void => keptInTab.removeItem(name);
