/** Returns whether a role sees takings and contact data, and may correct what was done. The services decide what it may do. */
export const manages = (role: string): boolean => role === 'owner' || role === 'manager';
