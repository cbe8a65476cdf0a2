package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// firstRenewal is after how many uses of a connection its plans are made anew; again after twice as many, and so on.
const firstRenewal = 32

const usesOfConnection = "daybook uses"

// renewPlans lets a connection that is taken from the pool forget its plans from time to time, ever more rarely. Postgres keeps plans, those
// of foreign keys and triggers among them, until a table is analyzed; one that was made for an empty table may read a book whole for each
// entry once there is one.
func renewPlans(ctx context.Context, conn *pgx.Conn) error {
	data := conn.PgConn().CustomData()
	uses, _ := data[usesOfConnection].(int)
	uses++
	data[usesOfConnection] = uses
	if uses < firstRenewal || uses&(uses-1) != 0 {
		return nil
	}
	_, err := conn.Exec(ctx, `DISCARD PLANS`)
	return err
}
