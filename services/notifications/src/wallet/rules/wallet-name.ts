export type WalletName = 'apple' | 'google';
