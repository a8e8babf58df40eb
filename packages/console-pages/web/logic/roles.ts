/** Whether a role sees takings and contact data, and may make corrections. The services decide. */
export const manages = (role: string): boolean => role === 'owner' || role === 'manager';
