export { type AsCaller, apiFor } from './api.ts';
export { describeTool, type Narrowing, scopesFor, whyNotOffered } from './offered.ts';
export { type Runner, runTool } from './run-tool.ts';
export { allTools, type ToolSet, toolSetNames, tools } from './tool-list.ts';
