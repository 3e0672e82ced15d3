export { loadDashboard, notBuilt } from './built-files.ts';
export { dashboardRoutes } from './dashboard.routes.ts';
