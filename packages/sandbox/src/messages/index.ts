export { messagesOf } from './from-environment.ts';
export type { Inbox, Message } from './inbox.ts';
export type { MessageControls } from './message-controls.ts';
export type { MessageFault, MessageFaultKind, MessageProvider } from './message-faults.ts';
export { walletEnvironment } from './messages-environment.ts';
export { type MessagesOptions, type RunningMessages, startMessages } from './start-messages.ts';
