import type { App } from '../foundation/http/index.ts';
import type { Slice } from '../foundation/slice.ts';
import { type Dashboard, loadDashboard } from './built-files.ts';
import { dashboardRoutes, lostInDashboard } from './dashboard.routes.ts';

export type { Dashboard };

/** The web interface: its files, and its page at the address of every screen. */
export function createDashboard(dashboard = loadDashboard()): Slice {
  return {
    otherRoutes: (app: App) => dashboardRoutes(app, dashboard),
    ...(dashboard && { lost: lostInDashboard(dashboard) }),
  };
}
