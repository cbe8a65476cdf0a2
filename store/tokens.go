package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"daybook/store/ledger"
)

// Token lets a program act as a user in one book. Only narrows the user's rights where it is not nil. Zero times are: never
// expires, is not revoked.
type Token struct {
	ID        int64
	UserID    int64
	Email     string
	UserName  string
	Name      string
	Only      []Right
	CreatedAt time.Time
	ExpiresAt time.Time
	RevokedAt time.Time
	// LastUsedAt is exact to a few minutes.
	LastUsedAt time.Time
}

const tokenPrefix = "daybook_"

// lastTokenYear is the last in which a token may end: the end of its last day is a moment that every form of a date can write.
const lastTokenYear = 9998

// AddToken gives a user a token in a book and returns its text, which is not stored and cannot be shown again. With plain set,
// that is the text; it may be that of a token in other books, which then is one token for all of them. Errors: KindInvalid,
// KindNotFound for the user.
func (s *Store) AddToken(ctx context.Context, book Book, userID int64, name string, only []Right, expires time.Time, plain string) (Token, string, error) {
	token := Token{UserID: userID, Name: strings.TrimSpace(name), Only: only, CreatedAt: s.now(), ExpiresAt: expires}
	if err := token.check(); err != nil {
		return Token{}, "", err
	}
	if plain == "" {
		plain = newTokenText()
	}
	err := s.inTx(ctx, func(tx *gorm.DB) (err error) {
		if token.Email, err = queryOne[string](tx, "there is no such user", `SELECT u.email FROM users u WHERE u.id = ?`, userID); err != nil {
			return err
		}
		if token.ID, err = nextNumber(tx, book.ID, "token", 1); err != nil {
			return err
		}
		if err := insertToken(tx, book, token, plain); err != nil {
			return err
		}
		return s.audit(tx, Actor{Email: Operator, Book: book}, "token.add", fmt.Sprintf("token %d", token.ID), map[string]any{"user": token.Email, "name": token.Name})
	})
	if err != nil {
		return Token{}, "", err
	}
	return token, plain, nil
}

func newTokenText() string {
	secret := make([]byte, 32)
	rand.Read(secret)
	return tokenPrefix + base64.RawURLEncoding.EncodeToString(secret)
}

func (t Token) check() error {
	refusal := ledger.Refuse(ledger.KindInvalid, "the token cannot be added as it stands")
	if !ledger.IsName(t.Name) {
		refusal.At("name", "say in at most %d characters what uses the token", ledger.MaxNameRunes)
	}
	for _, right := range t.Only {
		if _, known := allows[right]; !known {
			refusal.At("rights", "there is no right %q: they are %s", right, listRights(Rights))
		}
	}
	switch {
	case t.ExpiresAt.IsZero():
	case !t.ExpiresAt.After(t.CreatedAt):
		refusal.At("expires", "lies in the past")
	case t.ExpiresAt.Year() > lastTokenYear:
		refusal.At("expires", "lies after the year %d: leave it empty for a token without an end", lastTokenYear)
	}
	return refusal.OrNil()
}

func listRights(rights []Right) string {
	words := make([]string, len(rights))
	for i, right := range rights {
		words[i] = string(right)
	}
	return strings.Join(words, ", ")
}

func insertToken(tx *gorm.DB, book Book, token Token, plain string) error {
	var rights, expires any
	if token.Only != nil {
		words := array[string]{}
		for _, right := range token.Only {
			words = append(words, string(right))
		}
		rights = words
	}
	if !token.ExpiresAt.IsZero() {
		expires = token.ExpiresAt
	}
	_, err := exec(tx, `
		INSERT INTO tokens (book_id, id, user_id, name, token_hash, rights, created_at, expires_at)
		VALUES (?, ?, ?, ?, ?, CAST(? AS text[]), ?, ?)`,
		book.ID, token.ID, token.UserID, token.Name, tokenHash(plain), rights, token.CreatedAt, expires)
	return err
}

// tokenHash is what is stored. A token is random in 32 bytes: unlike a password it needs no slow hash.
func tokenHash(plain string) []byte {
	hash := sha256.Sum256([]byte(plain))
	return hash[:]
}

// tokenInBook is a token, by its hash, and the code of the book that it is used for.
type tokenInBook struct {
	hash [sha256.Size]byte
	book string
}

func tokenOf(plain, bookCode string) tokenInBook {
	return tokenInBook{sha256.Sum256([]byte(plain)), bookCode}
}

// RevokeToken ends a token of a book at once. Error: KindNotFound, also for one that is revoked already.
func (s *Store) RevokeToken(ctx context.Context, book Book, id int64) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		revoked, err := exec(tx, `UPDATE tokens SET revoked_at = ? WHERE book_id = ? AND id = ? AND revoked_at IS NULL`, s.now(), book.ID, id)
		if err != nil {
			return err
		}
		if revoked == 0 {
			return ledger.Refuse(ledger.KindNotFound, "book %s has no token %d that could be revoked", book.Code, id)
		}
		return s.audit(tx, Actor{Email: Operator, Book: book}, "token.revoke", fmt.Sprintf("token %d", id), nil)
	})
}

// Tokens lists the tokens of a book by id, revoked and expired ones included.
func (s *Store) Tokens(ctx context.Context, book Book) ([]Token, error) {
	return loadTokens(s.db.WithContext(ctx), book, `true`)
}

func loadTokens(db *gorm.DB, book Book, condition string, args ...any) ([]Token, error) {
	rows, err := query[struct {
		ID, UserID                                  int64
		Email, UserName, Name                       string
		Rights                                      *string
		CreatedAt, ExpiresAt, RevokedAt, LastUsedAt time.Time
	}](db, `
		SELECT t.id, t.user_id, u.email, u.name AS user_name, t.name, array_to_string(t.rights, ' ') AS rights, t.created_at, t.expires_at, t.revoked_at, t.last_used_at
		  FROM tokens t JOIN users u ON u.id = t.user_id WHERE t.book_id = ? AND `+condition+` ORDER BY t.id LIMIT 10000`, append([]any{book.ID}, args...)...)
	if err != nil {
		return nil, fmt.Errorf("list tokens: %w", err)
	}
	tokens := make([]Token, len(rows))
	for i, r := range rows {
		tokens[i] = Token{
			ID: r.ID, UserID: r.UserID, Email: r.Email, UserName: r.UserName, Name: r.Name, Only: rightsIn(r.Rights),
			CreatedAt: r.CreatedAt.UTC(), ExpiresAt: r.ExpiresAt, RevokedAt: r.RevokedAt, LastUsedAt: r.LastUsedAt,
		}
	}
	return tokens, nil
}

// rightsIn reads rights from a text of words; no text is no narrowing.
func rightsIn(words *string) []Right {
	if words == nil {
		return nil
	}
	rights := []Right{}
	for word := range strings.FieldsSeq(*words) {
		rights = append(rights, Right(word))
	}
	return rights
}

// ActorByToken gives the user of a token as who acts in a book, and notes that the token was used. Errors: KindUnauthenticated for a
// token that is unknown, expired or revoked and for a disabled user, KindNotFound for the book, KindForbidden for a token of other books
// and for a user without any role in this one; who was forbidden is given all the same, for the audit log.
func (s *Store) ActorByToken(ctx context.Context, plain, bookCode string) (Actor, error) {
	return s.actorByToken(s.db.WithContext(ctx), tokenOf(plain, bookCode))
}

type tokenRow struct {
	Actor                 actorRow `gorm:"embedded"`
	Rights                *string
	ForThisBook           bool
	TokenBook, TokenID    int64
	LastUsedAt, ExpiresAt time.Time
	Version               *int64
}

func (s *Store) actorByToken(db *gorm.DB, token tokenInBook) (Actor, error) {
	s.actors.forget(token)
	// The index of tokens begins with the book: going through the books keeps it in use.
	rows, err := query[tokenRow](db, `
		SELECT `+wantedPerson+`, array_to_string(t.rights, ' ') AS rights, t.book_id = b.id AS for_this_book, t.book_id AS token_book, t.id AS token_id,
		       t.last_used_at, t.expires_at, (SELECT v.version FROM book_versions v WHERE v.book_id = b.id) AS version, `+wantedBook+`
		  FROM books o
		  JOIN tokens t ON t.book_id = o.id AND t.token_hash = @hash
		  JOIN users u ON u.id = t.user_id
		  LEFT JOIN books b ON b.code = @code
		 WHERE t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > @now) AND u.disabled_at IS NULL
		 ORDER BY t.book_id = b.id DESC LIMIT 1`,
		map[string]any{"hash": token.hash[:], "code": token.book, "now": s.now(), "given": s.now().Add(-givenFor)})
	if err != nil {
		return Actor{}, fmt.Errorf("find whose token this is: %w", err)
	}
	if len(rows) == 0 {
		return Actor{}, ledger.Refuse(ledger.KindUnauthenticated, "the token is unknown, expired or revoked: ask an admin of the book for another")
	}
	row := rows[0]
	noted, err := s.noteUse(db, row.TokenBook, row.TokenID, row.LastUsedAt)
	if err != nil {
		return Actor{}, err
	}
	if row.Actor.BookID != nil && !row.ForThisBook {
		return Actor{UserID: row.Actor.UserID, Email: row.Actor.Email, Name: row.Actor.UserName}, ledger.Refuse(ledger.KindForbidden, "this token is for other books: ask an admin of book %s for one", token.book).
			With("right", string(RightRead))
	}
	actor, err := s.actorOf(db, row.Actor, token.book)
	actor.Only = rightsIn(row.Rights)
	if err == nil && row.Version != nil {
		actor.remembered = &remembrance{token, *row.Version}
		s.actors.keep(token, rememberedActor{actor, earliest(noted.Add(seenEvery), row.ExpiresAt)})
	}
	return actor, err
}

// earliest gives the earlier of two instants, of which the second may be zero for never.
func earliest(a, b time.Time) time.Time {
	if !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// noteUse notes that a token is used, if that was not noted lately, and gives when it was noted last.
func (s *Store) noteUse(db *gorm.DB, bookID, tokenID int64, last time.Time) (time.Time, error) {
	now := s.now()
	if now.Before(last.Add(seenEvery)) {
		return last, nil
	}
	if _, err := exec(db, `UPDATE tokens SET last_used_at = ? WHERE book_id = ? AND id = ? AND (last_used_at IS NULL OR last_used_at < ?)`,
		now, bookID, tokenID, now); err != nil {
		return last, fmt.Errorf("note that a token was used: %w", err)
	}
	return now, nil
}
