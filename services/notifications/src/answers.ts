import { answerAskMarketing } from './answers/ask-marketing.ts';
import { answerReachCustomer } from './answers/reach-customer.ts';

/** What other services may ask. */
export const answers = { answerAskMarketing, answerReachCustomer };
