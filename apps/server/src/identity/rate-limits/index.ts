export { addressKey } from './address-key.ts';
export { requestBudgets, userKey } from './budget.ts';
export { type BudgetRow, deleteOldBudgets, lockBudgets, storeBudgets } from './kept-budgets.sql.ts';
export { budgetKey, type Exhausted, type KeptBudget, takeFromAll, tooMany } from './kept-budgets.ts';
