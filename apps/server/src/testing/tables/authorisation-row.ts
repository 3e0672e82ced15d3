import type { Scope } from '@bottega/contract';
import type { Person, Place } from './authorisation-place.ts';

/**
 * What every route of a project requires of its caller. Each route has one row, or several if the requirement depends
 * on the body. The matrix test takes the routes from the running app and fails for one without a row. To add a slice's
 * routes, write its rows into a new table beside these and spread it into `authorisationTable`.
 *
 * A reader of the project has both `content`, which is everything that a public project shows to outsiders, and
 * `operations`, which tell how it is built and run.
 */
export type Need = 'content' | 'operations' | 'comment' | 'write' | 'manage' | 'owner' | 'invitee';

export type Row = {
  needs: Need;
  /** Persons who may call in addition to those with the right. */
  also?: Person[];
  /** The status for allowed callers. */
  status: number;
  /** Changes nothing, although it is not a GET. */
  reads?: boolean;
  /** The status while the project is archived; by default 409 for everything that is not a read. */
  whileArchived?: number;
  /** Tells several requests of one route apart. */
  label?: string;
  json?: unknown;
  query?: string;
  body?: string;
  headers?: Record<string, string>;
  /** Replaces the place's parameters. */
  parameters?: (place: Place) => Record<string, string>;
  /** The body, if it depends on the place. */
  jsonFor?: (place: Place) => unknown;
  /** Prepares the place. */
  prepare?: (place: Place) => Promise<unknown>;
  /** Whether the object is hidden from everybody else, so that they get a 404. */
  hidden?: boolean;
  /** The status for a service account in its own project, if it may do less than its owner. */
  asServiceAccount?: number;
  /** Refused to the tokens of apps, whatever their scopes. */
  notForApps?: boolean;
  /** The scope of routes that are not in the OpenAPI document. */
  scope?: Scope;
};
