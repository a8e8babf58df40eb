/** A store's chairs and diary at one moment. All times are epoch milliseconds. */
export interface Floor {
  readonly now: number;
  /** No service begins at this instant or later. */
  readonly closesAt: number;
  /** In the store's own order: a party that names no service gets the first. */
  readonly services: readonly Service[];
  /** In the store's own order, which settles ties. A chair is what the interface calls a unit. */
  readonly chairs: readonly Chair[];
  readonly occupied: readonly Occupied[];
  readonly closures: readonly Span[];
}

export interface Chair {
  readonly id: string;
  readonly name: string;
  readonly serviceIds: readonly string[];
  readonly shifts: readonly Span[];
  readonly breaks: readonly Span[];
}

export interface Service {
  readonly id: string;
  readonly name: string;
  readonly minutes: number;
  readonly bufferMinutes: number;
}

export interface Occupied extends Span {
  readonly chairId: string;
  /** A customer sits in the chair, so it is occupied until they leave, whatever end the diary gives. */
  readonly started: boolean;
  /** The entry whose seat it is; null for a booking. */
  readonly entryId: string | null;
}

/** In epoch milliseconds; `to` is not part of it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Party {
  /** Null for the store's first service. */
  readonly serviceId: string | null;
  readonly chairId: string | null;
  readonly size: number;
}

export const partyOf = (entry: Asked): Party => ({ serviceId: entry.service_id, chairId: entry.preferred_unit_id, size: entry.party_size });

export interface Asked {
  readonly service_id: string | null;
  readonly preferred_unit_id: string | null;
  readonly party_size: number;
}
