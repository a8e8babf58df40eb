/** Whether a text can be a pass's serial number, which is a UUID. The database rejects anything else with an error. */
export const isSerial = (text: string): boolean => uuid.test(text);

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
