export interface ServiceToMigrate {
  readonly service: string;
  /** The service's folder. */
  readonly folder: string;
  /** The superuser's address of the database. */
  readonly adminUrl: string;
  /** The address the service is to log in with; its role does not exist yet. */
  readonly roleUrl: string;
}

/** The report on one service. `fault` is null when its migrations succeeded. */
export interface MigrationReport {
  readonly service: string;
  readonly fault: string | null;
}
