import { answerAskMarketing } from './answers/ask-marketing.ts';

/** What other services may ask. */
export const answers = { answerAskMarketing };
