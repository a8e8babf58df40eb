/** The path of the page that accepts an invitation. Its link is sent by mail, with the token behind `#`, which no server sees. */
export const invitationPath = '/invitation';
const name = 'invitation';

/**
 * Returns the token of the invitation that this tab was opened with; null for none. It is taken out of the address and kept until the person has
 * signed in, which leaves the page.
 */
export function invitationToken(): string | null {
  try {
    if (location.pathname === invitationPath && location.hash.length > 1) {
      sessionStorage.setItem(name, location.hash.slice(1));
      history.replaceState(history.state, '', invitationPath);
    }
    return sessionStorage.getItem(name);
  } catch {
    // The browser keeps nothing: the link works for someone who is signed in.
    return location.hash.slice(1) || null;
  }
}

/** Forgets the invitation: it was accepted, or can no longer be. */
export function forgetInvitation(): void {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Nothing is kept.
  }
}
