export { loadDashboard, notBuilt } from './built-files.ts';
