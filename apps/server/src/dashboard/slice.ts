import type { App } from '../foundation/http/index.ts';
import type { Slice } from '../foundation/slice.ts';
import { type Dashboard, loadDashboard } from './built-files.ts';
import { dashboardNotFound, dashboardRoutes } from './dashboard.routes.ts';
import { appsSourceOf } from './page-policy.ts';

export type { Dashboard };

type Needs = { appUrl: (name: string) => string };

/** The web interface: its files, and its page at the address of every screen. */
export function createDashboard({ appUrl }: Needs, dashboard = loadDashboard()): Slice {
  // The apps port is known only once it listens.
  const appsSource = () => appsSourceOf(appUrl);
  return {
    otherRoutes: (app: App) => dashboardRoutes(app, dashboard, appsSource),
    ...(dashboard && { notFound: dashboardNotFound(dashboard, appsSource) }),
  };
}
