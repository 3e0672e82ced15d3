export { ObjectsAwayError, openBuckets } from './buckets.ts';
export { deleteUnneededObjects } from './delete-unneeded.service.ts';
export { tryBucket, watchBucket } from './health.ts';
export { movePieces } from './move.service.ts';
export { objectsLock } from './pieces.sql.ts';
export { createPieces, objectReader, PieceLostError, type Pieces } from './pieces.ts';
export { openPieceWriter, type PieceWriter } from './writer.ts';
