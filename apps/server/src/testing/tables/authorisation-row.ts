import type { Scope } from '@bottega/contract';
import type { Person, Place } from './authorisation-place.ts';

/**
 * What every route of a project asks of its caller: one row a route, or several where it depends on the body. The
 * matrix test takes the routes from the running app and fails for one that has no row. To add a slice's routes, write
 * its rows into a table of its own beside these and spread it into `authorisationTable`.
 *
 * Whoever may read has both: content, which is all that a public project shows to those who are not of it, and operations, which
 * tell how it is built and run.
 */
export type Need = 'content' | 'operations' | 'comment' | 'write' | 'manage' | 'owner' | 'invitee';

export type Row = {
  needs: Need;
  /** Who may beside those who have what it needs. */
  also?: Person[];
  /** What the allowed get. */
  status: number;
  /** Changes nothing, although it is no GET. */
  reads?: boolean;
  /** What they get while the project is archived; else 409 for whatever is no read. */
  whileArchived?: number;
  /** Which of several requests of one route this is. */
  label?: string;
  json?: unknown;
  query?: string;
  body?: string;
  headers?: Record<string, string>;
  /** Instead of those of the place. */
  parameters?: (place: Place) => Record<string, string>;
  /** Where it depends on the place. */
  jsonFor?: (place: Place) => unknown;
  /** What has to be so first. */
  prepare?: (place: Place) => Promise<unknown>;
  /** Nobody else sees it any more: a 404 for all of them. */
  hidden?: boolean;
  /** Refused to the tokens of apps, whatever their scopes. */
  notForApps?: boolean;
  /** Of routes that are not in the OpenAPI document. */
  scope?: Scope;
};
