export { type Base, type LayerTools, noteSetUp, openBase, type Run } from './base.ts';
export { createKeeper, type Keeper } from './keeper.ts';
export { LayerProblem, type LayerStore, openLayerStore, releaseAllLayers } from './layer-store.ts';
export { findLayer, holdLayer, needsFiles } from './layers.sql.ts';
