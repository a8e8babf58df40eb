export const manages = (role: string): boolean => role === 'owner' || role === 'manager';
