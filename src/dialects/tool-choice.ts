import type { ToolChoice } from '../core/call.ts';

/** Whether the model must call a tool. */
export function requiresTool(choice: ToolChoice | undefined): boolean {
  return choice?.mode === 'required' || choice?.mode === 'one' || (choice?.mode === 'allowed' && choice.required);
}
