/** A session that ends is counted where changes of keys and settings are: whoever was let in with it is looked at again. */
export const endedSessions = `
  create trigger sessions_delete_counted after delete on sessions begin
    update counters set value = value + 1 where name = 'changes';
  end;
`;
