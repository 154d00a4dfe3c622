/**
 * Advisory locks of transactions. Whoever takes calls over shares `GROUPS_LOCK`; whoever removes groups that are empty has it alone,
 * so that no number of a group is used that is gone.
 */
export const GROUPS_LOCK = 0x67726f757073n;
