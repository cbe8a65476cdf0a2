package store

import (
	"context"
	"fmt"
)

// guards are the triggers that keep what was recorded as it is, each on the table that its name begins with.
var guards = array[string]{
	"account_rules.account_rules_no_change", "account_rules.account_rules_no_truncate",
	"accounts.accounts_unchanged", "accounts.accounts_version",
	"approval_decisions.approval_decisions_no_change", "approval_decisions.approval_decisions_no_truncate",
	"approvals.approvals_no_delete", "approvals.approvals_no_truncate", "approvals.approvals_unchanged",
	"audit_log.audit_log_no_change", "audit_log.audit_log_no_truncate",
	"books.books_version",
	"break_attachments.break_attachments_no_change", "break_attachments.break_attachments_no_truncate",
	"break_events.break_events_no_change", "break_events.break_events_no_truncate",
	"break_lines.break_lines_kept", "break_lines.break_lines_referring", "break_postings.break_postings_kept", "break_postings.break_postings_referring",
	"breaks.breaks_keep_number", "breaks.breaks_no_truncate",
	"entries.entries_no_change", "entries.entries_no_truncate", "entries.entries_whole",
	"heads.heads_move", "heads.heads_no_delete", "heads.heads_no_truncate", "heads.heads_start", "heads.heads_version",
	"inbox_events.inbox_events_no_change", "inbox_events.inbox_events_no_truncate",
	"inbox_messages.inbox_messages_no_truncate", "inbox_messages.inbox_messages_stay",
	"key_clashes.key_clashes_no_change", "key_clashes.key_clashes_no_truncate",
	"match_events.match_events_no_change", "match_events.match_events_no_truncate",
	"match_lines.match_lines_kept", "match_lines.match_lines_referring", "match_lines.match_lines_signed",
	"match_postings.match_postings_kept", "match_postings.match_postings_referring", "match_postings.match_postings_signed",
	"matches.matches_kept", "matches.matches_no_truncate", "matches.matches_referring", "matches.matches_signed",
	"payment_calls.payment_calls_no_delete", "payment_calls.payment_calls_no_truncate", "payment_calls.payment_calls_stay",
	"payment_events.payment_events_no_change", "payment_events.payment_events_no_truncate",
	"payment_settings.payment_settings_no_change", "payment_settings.payment_settings_no_truncate",
	"payment_tries.payment_tries_no_change", "payment_tries.payment_tries_no_truncate",
	"payments.payments_move", "payments.payments_no_truncate",
	"payout_items.payout_items_no_truncate", "payout_items.payout_items_stay", "payouts.payouts_no_change", "payouts.payouts_no_truncate",
	"periods.periods_no_truncate", "periods.periods_take_head", "periods.periods_version",
	"postings.postings_no_change", "postings.postings_no_truncate", "postings.postings_with_entry",
	"reconciliation_events.reconciliation_events_no_change", "reconciliation_events.reconciliation_events_no_truncate",
	"reconciliation_breaks.reconciliation_breaks_referring", "reconciliations.reconciliations_keep_number", "reconciliations.reconciliations_no_truncate", "reconciliations.reconciliations_signed",
	"signoff_adjustments.signoff_adjustments_no_change", "signoff_adjustments.signoff_adjustments_no_truncate", "signoff_adjustments.signoff_adjustments_with_signoff",
	"signoff_break_lines.signoff_break_lines_no_change", "signoff_break_lines.signoff_break_lines_no_truncate", "signoff_break_lines.signoff_break_lines_with_signoff",
	"signoff_break_postings.signoff_break_postings_no_change", "signoff_break_postings.signoff_break_postings_no_truncate", "signoff_break_postings.signoff_break_postings_with_signoff",
	"signoff_breaks.signoff_breaks_no_change", "signoff_breaks.signoff_breaks_no_truncate", "signoff_breaks.signoff_breaks_with_signoff",
	"signoff_explained.signoff_explained_no_change", "signoff_explained.signoff_explained_no_truncate", "signoff_explained.signoff_explained_with_signoff",
	"signoff_match_lines.signoff_match_lines_no_change", "signoff_match_lines.signoff_match_lines_no_truncate", "signoff_match_lines.signoff_match_lines_with_signoff",
	"signoff_match_postings.signoff_match_postings_no_change", "signoff_match_postings.signoff_match_postings_no_truncate", "signoff_match_postings.signoff_match_postings_with_signoff",
	"signoff_matches.signoff_matches_no_change", "signoff_matches.signoff_matches_no_truncate", "signoff_matches.signoff_matches_with_signoff",
	"signoffs.signoffs_no_change", "signoffs.signoffs_no_truncate", "signoffs.signoffs_submitted",
	"statement_lines.statement_lines_kept", "statement_lines.statement_lines_no_truncate", "statement_lines.statement_lines_referring", "statement_lines.statement_lines_undone",
	"statement_profiles.statement_profiles_no_change", "statement_profiles.statement_profiles_no_truncate",
	"statement_rows.statement_rows_kept",
	"statement_undos.statement_undos_no_change", "statement_undos.statement_undos_no_truncate",
	"statements.statements_kept", "statements.statements_no_truncate", "statements.statements_undone",
	"tokens.tokens_version", "user_roles.user_roles_version", "users.users_version",
}

// GuardsOff names the triggers that should hold for everyone and do not, as "table.trigger". A book may still be what was recorded
// without them; nothing keeps it so.
func (s *Store) GuardsOff(ctx context.Context) ([]string, error) {
	off, err := query[string](s.db.WithContext(ctx), `
		SELECT g.name
		  FROM unnest(?::text[]) AS g (name)
		 WHERE NOT EXISTS (SELECT FROM pg_trigger t
		                    WHERE t.tgenabled = 'A' AND t.tgrelid = to_regclass('public.' || split_part(g.name, '.', 1)) AND t.tgname = split_part(g.name, '.', 2))
		 ORDER BY g.name COLLATE "C"`, guards)
	if err != nil {
		return nil, fmt.Errorf("look for the guards: %w", err)
	}
	return off, nil
}
