/** How often a customer is asked about one store's marketing. */
export const maxMarketingAsks = 2;
