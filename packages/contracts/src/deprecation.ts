/** Announces the removal of an operation or an event: docs/versions.md. Days are YYYY-MM-DD. */
export interface Deprecated {
  readonly since: string;
  /** The first day on which it may be gone, at least twelve months later. It may be put off, and never brought forward. */
  readonly sunset: string;
  /** The operation, or the event with its version, to use instead; null for none. */
  readonly use: string | null;
}

/** Returns the headers of RFC 9745 and RFC 8594, and a link to the operation's page of the reference. */
export const deprecationHeaders = (operation: string, { since, sunset }: Deprecated): Readonly<Record<string, string>> => ({
  Deprecation: `@${Date.parse(since) / 1000}`,
  Sunset: new Date(sunset).toUTCString(),
  Link: `</docs/operations/${operation}>; rel="deprecation"; type="text/html"`,
});

export const describeDeprecation = ({ since, sunset, use }: Deprecated): string =>
  `Deprecated since ${since}; it may be gone from ${sunset}. ${use === null ? 'Nothing takes its place.' : `Use ${use} instead.`}`;
