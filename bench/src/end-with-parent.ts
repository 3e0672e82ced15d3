/** Whatever ended the bench, its servers go with it. */
process.on('disconnect', () => process.exit());
